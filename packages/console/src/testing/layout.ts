import type { Page } from 'playwright-core';

/**
 * Problems of layout that a user sees and axe does not, one line each; tests expect `[]`: a page
 * that scrolls sideways, text cut without a mark, and controls under other elements.
 */
export const layoutProblems = (page: Page, { within }: { readonly within?: string } = {}): Promise<readonly string[]> =>
  page.evaluate(findProblems, within);

/** Runs in the page, so everything it uses is inside. */
function findProblems(within: string | undefined): readonly string[] {
  /** Rounding of positions, in pixels. */
  const SLACK = 1.5;
  const roots = within === undefined ? [document.body] : [...document.querySelectorAll<HTMLElement>(within)];

  const describe = (element: Element): string =>
    `${element.outerHTML.slice(0, 120)} in ${element.parentElement?.outerHTML.slice(0, 120) ?? 'nothing'}`;

  const chainOf = (element: Element): readonly Element[] => {
    const chain: Element[] = [];
    for (let each: Element | null = element; each !== null; each = each.parentElement) chain.push(each);
    return chain;
  };

  /** A visually hidden element has a size of a pixel, or is clipped away. */
  const isSeen = (element: Element): boolean =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    !chainOf(element).some((each) => {
      const { clipPath, clip, overflowX } = getComputedStyle(each);
      const { width, height } = each.getBoundingClientRect();
      const isTiny = overflowX !== 'visible' && (width <= 1 || height <= 1);
      return isTiny || clipPath === 'inset(50%)' || /^rect\(0(px)?[, ]/.test(clip);
    });

  /** Ancestors that clip an element, nearest first; an absolute one ignores static ones. */
  const clipsOf = (element: Element): readonly Element[] => {
    const clips: Element[] = [];
    let { position } = getComputedStyle(element);
    for (const each of chainOf(element).slice(1)) {
      if (position === 'fixed') break;
      const style = getComputedStyle(each);
      if (position === 'absolute' && style.position === 'static' && style.transform === 'none') continue;
      if (style.overflowX !== 'visible' || style.overflowY !== 'visible') clips.push(each);
      ({ position } = style);
    }
    return clips;
  };

  const isScrolled = (overflow: string): boolean => overflow === 'auto' || overflow === 'scroll';

  /** `text-overflow` cuts inline content of its own block, but not flex and grid items. */
  const hasEllipsis = (inside: Element, clip: Element): boolean => {
    const { display, textOverflow, webkitLineClamp, maskImage } = getComputedStyle(clip);
    if (webkitLineClamp !== 'none' || maskImage !== 'none') return true;
    if (textOverflow === 'clip' || /flex|grid/.test(display)) return false;
    const between = chainOf(inside).slice(0, chainOf(inside).indexOf(clip));
    return between.every((each) => /^(inline|contents)/.test(getComputedStyle(each).display));
  };

  /** The element that cuts the text without a mark. */
  const cutter = (parent: Element, text: Node): Element | undefined => {
    const range = document.createRange();
    range.selectNodeContents(text);
    const lines = [...range.getClientRects()].filter(({ width, height }) => width > 0 && height > 0);
    const chain = chainOf(parent);
    for (const clip of [...(clipsOf(parent).includes(parent) ? [] : [parent]), ...clipsOf(parent)]) {
      const { overflowX, overflowY } = getComputedStyle(clip);
      const box = clip.getBoundingClientRect();
      const isCutX = lines.some(({ left, right }) => right > box.right + SLACK || left < box.left - SLACK);
      // A line that shows in part; whole lines below the edge may be meant.
      const isCutY = lines.some(({ top, bottom }) => top < box.bottom - 4 && bottom > box.bottom + 4);
      const isCut = (isCutX && /hidden|clip/.test(overflowX)) || (isCutY && /hidden|clip/.test(overflowY));
      const titled = chain.slice(0, chain.indexOf(clip) + 1).some((each) => each.hasAttribute('title'));
      if (isCut && !titled) return hasEllipsis(parent, clip) ? undefined : clip;
      if (isCut || isScrolled(overflowX) || isScrolled(overflowY)) return undefined;
    }
    return undefined;
  };

  const cutTexts = (): readonly string[] => {
    const found: string[] = [];
    for (const root of roots) {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      for (let text = walker.nextNode(); text !== null; text = walker.nextNode()) {
        const parent = text.parentElement!;
        if (text.textContent?.trim() === '' || parent.closest('svg, script, style, [inert], .cm-editor')) continue;
        if (!isSeen(parent)) continue;
        const clip = cutter(parent, text);
        if (clip !== undefined) found.push(`text “${text.textContent?.slice(0, 60)}” is cut by ${describe(clip)}`);
      }
    }
    return found;
  };

  const CONTROLS = 'button, a[href], input, select, textarea, [role="button"], [role="tab"], [role="switch"]';

  /** What covers the center of a control; undefined if nothing does, or it is out of view. */
  const coverOf = (control: Element): Element | undefined => {
    const box = control.getClientRects()[0];
    if (box === undefined || box.width <= 1 || box.height <= 1) return undefined;
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const isInside = [document.documentElement, ...clipsOf(control)].every((clip) => {
      const { left, top, right, bottom } =
        clip === document.documentElement ? new DOMRect(0, 0, innerWidth, innerHeight) : clip.getBoundingClientRect();
      return x >= left && x < right && y >= top && y < bottom;
    });
    const hit = isInside ? document.elementFromPoint(x, y) : null;
    const label = control.closest('label') ?? (control as Partial<HTMLInputElement>).labels?.[0];
    if (hit === null || control.contains(hit) || hit.contains(control) || label?.contains(hit)) return undefined;
    return hit;
  };

  /** Covered also after scrolling: a fixed bar covers what can be scrolled from under it. */
  const isCoveredForGood = (control: Element): boolean => {
    const places = chainOf(control).map((each) => [each, each.scrollLeft, each.scrollTop] as const);
    control.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    const isCovered = coverOf(control) !== undefined;
    for (const [each, left, top] of places) each.scrollTo({ left, top, behavior: 'instant' });
    return isCovered;
  };

  const coveredControls = (): readonly string[] =>
    roots
      .flatMap((root) => [...root.querySelectorAll(CONTROLS)])
      .filter((control) => control.closest('[inert], [aria-hidden="true"]') === null && isSeen(control))
      .filter((control) => getComputedStyle(control).pointerEvents !== 'none')
      .flatMap((control) => {
        const cover = coverOf(control);
        return cover === undefined || !isCoveredForGood(control)
          ? []
          : [`${describe(control)} is covered by ${describe(cover)}`];
      });

  const sideways = [document.documentElement, ...document.querySelectorAll('main')]
    .filter((each) => each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).overflowX !== 'hidden')
    .map(
      (each) => `the page is ${each.scrollWidth} pixels wide, of ${each.clientWidth}: ${each.outerHTML.slice(0, 120)}`,
    );

  return [...sideways, ...cutTexts(), ...coveredControls()];
}
