/** A click: target and modifier keys. */
export interface PointedWith {
  readonly currentTarget: Element;
  readonly metaKey: boolean;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
}
