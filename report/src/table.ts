// A table that sorts by the column clicked on. Long ones show their first rows until asked for more.

import { h, replace, type Child } from "./dom.ts";

const kFirstRows = 50;
const kMoreRows = 500;

export interface Column<Row> {
  title: string;
  // What is sorted by. Numbers stand to the right.
  value: (row: Row) => number | string | null | undefined;
  show?: (row: Row) => Child;
  help?: string;
  left?: boolean; // stands to the left all the same
}

export interface TableOptions<Row> {
  sortBy?: number; // a column; the given order otherwise
  descending?: boolean;
  onRow?: (row: Row) => void;
  rows?: number; // shown at first
}

export function sortedTable<Row>(rows: Row[], columns: Column<Row>[], options: TableOptions<Row> = {}): HTMLElement {
  if (rows.length === 0) return h("p", { class: "faint" }, "nothing to list");
  let sortBy = options.sortBy ?? -1;
  let descending = options.descending ?? false;
  let shown = options.rows ?? kFirstRows;
  const isNumber = columns.map((column) => !column.left && rows.some((row) => typeof column.value(row) === "number"));
  const body = h("tbody");
  const more = h("button", { class: "more", onclick: () => ((shown += kMoreRows), fill()) });
  const heads = columns.map((column, index) => {
    const button = h(
      "button",
      { class: "sort", title: column.help ?? "Sort by this", onclick: () => sort(index) },
      column.title,
    );
    return h("th", { scope: "col", class: isNumber[index] ? "number" : false }, button);
  });

  const sort = (index: number) => {
    descending = sortBy === index ? !descending : isNumber[index];
    sortBy = index;
    fill();
  };

  const sorted = () => {
    if (sortBy < 0) return rows;
    const { value } = columns[sortBy];
    const keyed = rows.map((row, at) => ({ row, at, key: value(row) ?? null }));
    keyed.sort((a, b) => {
      if (a.key === null || b.key === null) return Number(a.key === null) - Number(b.key === null) || a.at - b.at;
      const order = a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
      return (descending ? -order : order) || a.at - b.at;
    });
    return keyed.map((each) => each.row);
  };

  const fill = () => {
    heads.forEach((head, index) => {
      head.setAttribute("aria-sort", index !== sortBy ? "none" : descending ? "descending" : "ascending");
    });
    const visible = sorted().slice(0, shown);
    replace(
      body,
      ...visible.map((row) => {
        const cells = columns.map((column, index) => {
          const content = column.show ? column.show(row) : column.value(row);
          return h("td", { class: isNumber[index] ? "number" : false }, content ?? "");
        });
        if (!options.onRow) return h("tr", {}, ...cells);
        return h("tr", { class: "goes", onclick: () => options.onRow!(row) }, ...cells);
      }),
    );
    more.hidden = rows.length <= shown;
    more.textContent = `${rows.length - visible.length} more rows`;
  };

  fill();
  return h("div", { class: "table" }, h("table", {}, h("thead", {}, h("tr", {}, ...heads)), body), more);
}
