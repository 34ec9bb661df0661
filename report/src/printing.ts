// Print has all parts below each other, on a light ground and as wide as a page of A4 across. What is drawn to fit is
// drawn again for that while it is printed, and afterwards for the screen: a browser asks for the picture at once, and
// tells no observer.

type Listener = () => void;

const listeners: Listener[] = [];

export function isPrinting(): boolean {
  return document.documentElement.classList.contains("printing");
}

// Called when printing begins and when it has ended, after the page has been laid out for it.
export function onPrint(listener: Listener): void {
  listeners.push(listener);
}

export function watchPrinting(): void {
  const set = (printing: boolean) => {
    document.documentElement.classList.toggle("printing", printing);
    for (const listener of listeners) listener();
  };
  addEventListener("beforeprint", () => set(true));
  addEventListener("afterprint", () => set(false));
}
