"""Draws results of podsim as figures for papers: SVG or PNG, the same bytes every time.

    scripts/plot FILE... -o FIGURE.svg [--x COLUMN] [--y COLUMN] [--by COLUMN] [--title TEXT] [--log x|y|xy]

FILE is what podsim wrote:
  .json of `podsim bench` or `run`      a line a file: bus bandwidth over size; or times of steps, if sizes are the same
  .json of `podsim compare`             two bars, by cause
  .csv (rows of a study)                --y over --x, a line for each value of --by

The ending of -o (.svg, .png or .pdf) says what is drawn. Columns of results are the fields of their JSON (docs/results.md):
size_bytes, time_us, algbw_GBps, busbw_GBps, ... Needs Debian's python3-matplotlib, and installs it when it is missing.
"""

import argparse
import csv
import json
import pathlib
import sys

import matplotlib

# Okabe and Ito's palette: colours that stay apart for the colour-blind (https://jfly.uni-koeln.de/color/, 2008).
COLOURS = ["#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#F0E442", "#000000"]
LABELS = {"size_bytes": "size (bytes)", "time_us": "time (µs)", "algbw_GBps": "algorithm bandwidth (GB/s)",
          "busbw_GBps": "bus bandwidth (GB/s)"}


class BadInput(Exception):
    pass


def read_json(path):
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}")
    except ValueError as error:
        raise BadInput(f"{path}: is not JSON: {error}")


def read_csv(path):
    try:
        with open(path, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}")
    if not rows:
        raise BadInput(f"{path}: has no rows")
    return rows


def numbers(rows, column, path):
    if column not in rows[0]:
        raise BadInput(f"{path}: has no column '{column}'; it has {', '.join(map(str, rows[0]))}")
    values = []
    for number, row in enumerate(rows, start=1):
        try:
            values.append(float(row[column]))
        except (TypeError, ValueError):
            raise BadInput(f"{path}: row {number}: '{column}' is {row[column]!r}, not a number")
    return values


def sorted_line(xs, ys):
    pairs = sorted(zip(xs, ys))
    return [x for x, _ in pairs], [y for _, y in pairs]


def lines_of_csv(path, options):
    if not options.x or not options.y:
        raise BadInput(f"{path}: rows need --x COLUMN and --y COLUMN")
    rows = read_csv(path)
    if not options.by:
        return [(pathlib.Path(path).stem, *sorted_line(numbers(rows, options.x, path), numbers(rows, options.y, path)))]
    if options.by not in rows[0]:
        raise BadInput(f"{path}: has no column '{options.by}'; it has {', '.join(map(str, rows[0]))}")
    groups = {}
    for row in rows:
        groups.setdefault(row[options.by], []).append(row)
    return [(f"{options.by} {key}", *sorted_line(numbers(group, options.x, path), numbers(group, options.y, path)))
            for key, group in groups.items()]


def lines_of_result(path, result, options):
    rows = result.get("results", [])
    if not rows:
        raise BadInput(f"{path}: has no results")
    x, y = options.x or "size_bytes", options.y or "busbw_GBps"
    label = pathlib.Path(path).stem
    return [(label, *sorted_line(numbers(rows, x, path), numbers(rows, y, path)))]


def draw_lines(axes, lines, options):
    for number, (label, xs, ys) in enumerate(lines):
        axes.plot(xs, ys, marker="o", markersize=4, color=COLOURS[number % len(COLOURS)],
                  linestyle=["-", "--", ":", "-."][number // len(COLOURS) % 4], label=label)
    x, y = options.x or "size_bytes", options.y or "busbw_GBps"
    axes.set_xlabel(LABELS.get(x, x))
    axes.set_ylabel(LABELS.get(y, y))
    log = options.log if options.log is not None else "x" if x == "size_bytes" else ""
    if "x" in log:
        axes.set_xscale("log", base=2 if x == "size_bytes" else 10)
    if "y" in log:
        axes.set_yscale("log")
    axes.grid(True, linewidth=0.4, alpha=0.6)
    if len(lines) > 1:
        axes.legend(frameon=False)


def draw_steps(axes, path, result):
    rows = result["results"]
    axes.barh([f"{i} {row['name']}" for i, row in enumerate(rows, start=1)], numbers(rows, "time_us", path),
              color=COLOURS[0])
    axes.invert_yaxis()
    axes.set_xlabel(LABELS["time_us"])


def draw_comparison(axes, comparison):
    parts = comparison["causes"] or comparison["breakdown"]
    names = [pathlib.Path(comparison[key]).stem for key in ("a", "b")]
    if not parts:
        parts = [{"cause": step["name"], "a_ps": step["a_ps"] or 0, "b_ps": step["b_ps"] or 0}
                 for step in comparison["steps"]]
    left = [0.0, 0.0]
    for number, part in enumerate(parts):
        widths = [part["a_ps"] / 1e6, part["b_ps"] / 1e6]
        if not any(widths):
            continue
        axes.barh([0, 1], widths, left=left, color=COLOURS[number % len(COLOURS)], label=part["cause"], height=0.6)
        left = [a + b for a, b in zip(left, widths)]
    axes.set_yticks([0, 1], names)
    axes.invert_yaxis()
    axes.set_xlabel(LABELS["time_us"])
    axes.legend(frameon=False, ncols=3, loc="upper center", bbox_to_anchor=(0.5, -0.25))


def draw(axes, options):
    first = options.files[0]
    if first.endswith(".csv"):
        return draw_lines(axes, [line for path in options.files for line in lines_of_csv(path, options)], options)
    results = [(path, read_json(path)) for path in options.files]
    for path, result in results:
        if not isinstance(result, dict) or "podsim" not in result:
            raise BadInput(f"{path}: is no result of podsim")
    if results[0][1].get("command") == "compare":
        if len(results) > 1:
            raise BadInput("one comparison a figure")
        return draw_comparison(axes, results[0][1])
    sizes = {row.get("size_bytes") for _, result in results for row in result.get("results", [])}
    if results[0][1].get("command") == "run" and not options.x and (len(results) == 1 or len(sizes) < 2):
        if len(results) > 1:
            raise BadInput("steps of one run a figure; 'podsim compare' compares two")
        return draw_steps(axes, *results[0])
    return draw_lines(axes, [line for path, result in results for line in lines_of_result(path, result, options)],
                      options)


def main():
    parser = argparse.ArgumentParser(prog="plot", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("-o", "--output", required=True, metavar="FIGURE")
    parser.add_argument("--x", metavar="COLUMN")
    parser.add_argument("--y", metavar="COLUMN")
    parser.add_argument("--by", metavar="COLUMN")
    parser.add_argument("--title", metavar="TEXT")
    parser.add_argument("--log", choices=["", "x", "y", "xy"])
    options = parser.parse_args()
    if pathlib.Path(options.output).suffix not in (".svg", ".png", ".pdf"):
        parser.error(f"-o {options.output}: expected a file that ends in .svg, .png or .pdf")
    if len({path.endswith(".csv") for path in options.files}) > 1:
        parser.error("rows (.csv) and results (.json) don't go into one figure")

    matplotlib.use("agg")
    # The same bytes every time: no date, no random ids, text as text.
    matplotlib.rcParams.update({"svg.hashsalt": "podsim", "svg.fonttype": "none", "font.size": 9,
                                "axes.spines.top": False, "axes.spines.right": False})
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(5.5, 3.4), layout="constrained")
    try:
        draw(axes, options)
        if options.title:
            axes.set_title(options.title)
        ending = pathlib.Path(options.output).suffix
        metadata = {"svg": {"Date": None}, "png": {"Software": None},
                    "pdf": {"CreationDate": None}}[ending[1:]]
        figure.savefig(options.output, dpi=200, metadata=metadata)
    except BadInput as error:
        print(f"plot: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"plot: can't write {options.output}: {error.strerror}", file=sys.stderr)
        return 74
    return 0


if __name__ == "__main__":
    sys.exit(main())
