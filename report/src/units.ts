// Numbers as people read them: times from picoseconds, bytes, rates, and the ticks of a time axis.

interface Unit {
  name: string;
  size: number;
}

const kTimeUnits: Unit[] = [
  { name: "s", size: 1e12 },
  { name: "ms", size: 1e9 },
  { name: "us", size: 1e6 },
  { name: "ns", size: 1e3 },
  { name: "ps", size: 1 },
];

const kByteUnits: Unit[] = [
  { name: "GiB", size: 2 ** 30 },
  { name: "MiB", size: 2 ** 20 },
  { name: "KiB", size: 2 ** 10 },
];

// The largest unit of which `value` has at least one.
function unitFor(units: Unit[], value: number): Unit | undefined {
  return units.find((unit) => Math.abs(value) >= unit.size);
}

export function timeUnit(picoseconds: number): Unit {
  return unitFor(kTimeUnits, picoseconds) ?? kTimeUnits[kTimeUnits.length - 1];
}

// Four significant digits, no trailing zeros after the point, no exponent for the sizes met here.
export function digits(value: number, significant = 4): string {
  if (value === 0 || !Number.isFinite(value)) return String(value);
  const before = Math.floor(Math.log10(Math.abs(value))) + 1;
  if (before > 15 || before < -6) return value.toExponential(significant - 1);
  const text = value.toFixed(Math.max(0, significant - before));
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

export function timeText(picoseconds: number): string {
  const unit = timeUnit(picoseconds);
  return `${digits(picoseconds / unit.size)} ${unit.name}`;
}

// A difference, with its sign.
export function signedTimeText(picoseconds: number): string {
  return (picoseconds > 0 ? "+" : "") + timeText(picoseconds);
}

export function bytesText(bytes: number): string {
  const unit = unitFor(kByteUnits, bytes);
  return unit ? `${digits(bytes / unit.size)} ${unit.name}` : `${digits(bytes, 6)} B`;
}

// GB = 1e9 bytes, as everywhere in podsim.
export function rateText(bytesPerSecond: number): string {
  if (bytesPerSecond >= 1e12) return `${digits(bytesPerSecond / 1e12)} TB/s`;
  if (bytesPerSecond >= 1e9) return `${digits(bytesPerSecond / 1e9)} GB/s`;
  return `${digits(bytesPerSecond / 1e6)} MB/s`;
}

export function percentText(fraction: number): string {
  const percent = fraction * 100;
  return `${percent >= 9.95 || percent === 0 ? percent.toFixed(0) : percent.toFixed(1)} %`;
}

export function countText(count: number): string {
  return Math.round(count).toLocaleString("en-US");
}

// 1, 2 or 5 times a power of ten, at least `least`.
export function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  for (const factor of [1, 2, 5, 10]) {
    if (factor * power >= least * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

export interface TimeTick {
  time: number;
  text: string;
}

// Ticks of an axis from `from` to `to`, about `count` of them, all in one unit and with as many decimals as tell them
// apart.
export function timeTicks(from: number, to: number, count: number): TimeTick[] {
  const width = to - from;
  if (!(width > 0) || count < 1) return [];
  const step = Math.max(1, niceStep(width / count));
  const unit = timeUnit(Math.max(Math.abs(from), Math.abs(to), step));
  const decimals = Math.max(0, Math.ceil(-Math.log10(step / unit.size) - 1e-9));
  const ticks: TimeTick[] = [];
  for (let i = Math.ceil(from / step); i * step <= to; ++i) {
    ticks.push({ time: i * step, text: `${((i * step) / unit.size).toFixed(decimals)} ${unit.name}` });
  }
  return ticks;
}
