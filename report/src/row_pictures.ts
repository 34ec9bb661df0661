// The lines of pixels of all rows on screen in one picture, copied onto the canvas stretched to the rows' heights.

export class RowPictures {
  private readonly canvas = document.createElement("canvas");
  private readonly places: { y: number; height: number }[] = [];
  private data: Uint32Array = new Uint32Array(0);
  private width = 0;

  // For lines of `width` pixels.
  begin(width: number): void {
    if (width !== this.width) this.data = new Uint32Array(0);
    this.width = width;
    this.places.length = 0;
  }

  // A line, empty, that will be shown at `y`.
  line(y: number, height: number): Uint32Array {
    const at = this.places.length * this.width;
    this.places.push({ y, height });
    if (this.data.length < at + this.width) {
      const larger = new Uint32Array(Math.max(at + this.width, this.data.length * 2));
      larger.set(this.data);
      this.data = larger;
    }
    return this.data.subarray(at, at + this.width).fill(0);
  }

  // `left` and `plotWidth`: where the lines go.
  paint(context: CanvasRenderingContext2D, left: number, plotWidth: number): void {
    const count = this.places.length;
    if (count === 0 || this.width === 0) return;
    if (this.canvas.width !== this.width || this.canvas.height < count) {
      this.canvas.width = this.width;
      this.canvas.height = count;
    }
    const bytes = new Uint8ClampedArray(this.data.buffer as ArrayBuffer, 0, count * this.width * 4);
    this.canvas.getContext("2d")!.putImageData(new ImageData(bytes, this.width, count), 0, 0);
    context.imageSmoothingEnabled = false;
    this.places.forEach(({ y, height }, line) =>
      context.drawImage(this.canvas, 0, line, this.width, 1, left, y, plotWidth, height),
    );
  }
}
