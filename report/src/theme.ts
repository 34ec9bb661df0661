// Light or dark: what the system prefers until the reader chooses. Print is always light. The canvas asks for its inks
// here.

import { isPrinting, onPrint } from "./printing.ts";

export interface Inks {
  ground: string;
  band: string; // headings of groups
  line: string;
  text: string;
  faint: string; // text that matters less
  accent: string; // what is selected
  dark: boolean;
}

type Listener = () => void;

const listeners: Listener[] = [];
let chosen: "light" | "dark" | undefined;

function systemIsDark(): boolean {
  return matchMedia("(prefers-color-scheme: dark)").matches;
}

export function isDark(): boolean {
  if (isPrinting()) return false;
  return chosen ? chosen === "dark" : systemIsDark();
}

function apply(): void {
  document.documentElement.dataset.theme = isDark() ? "dark" : "light";
  inks = undefined;
  for (const listener of listeners) listener();
}

export function toggleTheme(): void {
  chosen = isDark() ? "light" : "dark";
  apply();
}

export function onTheme(listener: Listener): void {
  listeners.push(listener);
}

export function watchTheme(): void {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", apply);
  onPrint(apply);
  apply();
}

let inks: Inks | undefined;

export function currentInks(): Inks {
  if (inks) return inks;
  const style = getComputedStyle(document.documentElement);
  const value = (name: string) => style.getPropertyValue(name).trim();
  inks = {
    ground: value("--ground"),
    band: value("--band"),
    line: value("--line"),
    text: value("--text"),
    faint: value("--faint"),
    accent: value("--accent"),
    dark: isDark(),
  };
  return inks;
}
