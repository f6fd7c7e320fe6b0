/** A click: on what, and with which keys. */
export interface PointedWith {
  readonly currentTarget: Element;
  readonly metaKey: boolean;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
}
