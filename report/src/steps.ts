// When each step of a run was, and what its time went to.

import type { ModuleResult, ReportDocument, StepResult } from "./data.ts";
import type { Part } from "./critical_path.ts";
import { causeColour, kLaneColours } from "./palette.ts";

export interface StepTime {
  step: StepResult;
  name: string; // told apart by a number where several have the same
  begin: number;
  end: number;
}

// Steps run one after the other. The timeline says when; without it they are taken to follow each other at once.
export function stepTimes(document: ReportDocument): StepTime[] {
  const steps = document.run.results ?? [];
  const timed = document.steps ?? [];
  if (steps.length === 0)
    return timed.map(({ name, begin, time }) => ({ step: { name, time_ps: time }, name, begin, end: begin + time }));
  let at = 0;
  return steps.map((step, index) => {
    const known = timed.length === steps.length ? timed[index] : undefined;
    const from = known?.begin ?? at;
    at = from + (known?.time ?? step.time_ps);
    const alike = steps.filter((each) => each.name === step.name).length;
    return { step, name: alike > 1 ? `${index + 1} ${step.name}` : step.name, begin: from, end: at };
  });
}

// Of a step's time: its module's parts on the slowest chip, or else its share of the critical path.
export function partsOfStep(document: ReportDocument, time: StepTime): Part[] {
  if (time.step.module) return moduleParts(time.step.module);
  const sums = new Map<string, number>();
  for (const { begin, end, cause } of document.critical_path?.segments ?? []) {
    const inside = Math.min(end, time.end) - Math.max(begin, time.begin);
    if (inside > 0) sums.set(cause, (sums.get(cause) ?? 0) + inside);
  }
  return [...sums].map(([name, sum]) => ({ name, time: sum, colour: causeColour(name) }));
}

const kModuleParts: [string, string, string][] = [
  ["compute_ps", "compute", kLaneColours.mxu],
  ["compute_slowed_ps", "compute slowed by contention", kLaneColours.vpu],
  ["exposed_communication_ps", "exposed communication", kLaneColours.ici],
  ["exposed_communication_slowed_ps", "exposed communication slowed", "#7fcfb5"],
  ["exposed_host_ps", "exposed host transfer", kLaneColours.pcie],
  ["exposed_host_slowed_ps", "exposed host transfer slowed", "#e6c3d6"],
  ["context_ps", "waiting for a context", kLaneColours.wait],
  ["issue_ps", "issue", kLaneColours.dma],
];

export function moduleParts(module: ModuleResult): Part[] {
  const breakdown = module.breakdown[module.slowest_chip] ?? module.breakdown[0] ?? {};
  return kModuleParts.map(([key, name, colour]) => ({ name, time: breakdown[key] ?? 0, colour }));
}
