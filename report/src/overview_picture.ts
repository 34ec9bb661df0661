// The overview, painted once for a size and theme.

import { kOverviewHeight, type Frame } from "./frame.ts";
import type { Model } from "./model.ts";
import { kLaneKindNames, laneColour } from "./palette.ts";
import type { Inks } from "./theme.ts";

let picture: HTMLCanvasElement | undefined;
let paintedFor = "";

export function overviewPicture(model: Model, frame: Frame, scale: number, inks: Inks): HTMLCanvasElement {
  const key = `${frame.width} ${scale} ${inks.dark}`;
  if (picture && paintedFor === key) return picture;
  picture = document.createElement("canvas");
  paintedFor = key;
  picture.width = Math.round(frame.width * scale);
  picture.height = Math.round(kOverviewHeight * scale);
  const context = picture.getContext("2d")!;
  context.scale(scale, scale);
  context.fillStyle = inks.ground;
  context.fillRect(0, 0, frame.width, kOverviewHeight);
  const { kinds, shares } = model.overview;
  const height = (kOverviewHeight - 6) / Math.max(1, kinds.length);
  context.font = `${Math.min(10, height + 1)}px system-ui, "DejaVu Sans", sans-serif`;
  context.textBaseline = "middle";
  context.textAlign = "right";
  kinds.forEach((kind, index) => {
    const top = 2 + index * height;
    context.globalAlpha = 1;
    context.fillStyle = inks.faint;
    context.fillText(kLaneKindNames[kind], frame.left - 6, top + height / 2);
    context.fillStyle = laneColour(kind);
    const slices = shares[index];
    const width = frame.plotWidth / slices.length;
    for (let slice = 0; slice < slices.length; ++slice) {
      if (slices[slice] <= 0) continue;
      context.globalAlpha = 0.15 + 0.85 * slices[slice];
      context.fillRect(frame.left + slice * width, top, width + 0.5, height - 1);
    }
  });
  return picture;
}
