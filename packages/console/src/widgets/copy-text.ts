import { notify } from './overlays/toast.js';

/** Copies to the clipboard; reports failures. */
export async function copyText(text: string, notice?: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    if (notice !== undefined) notify({ text: notice });
    return true;
  } catch {
    // Remote pages without TLS have no clipboard.
    if (copiedThroughSelection(text)) {
      if (notice !== undefined) notify({ text: notice });
      return true;
    }
    notify({ text: 'Clipboard access is blocked by the browser', kind: 'problem' });
    return false;
  }
}

function copiedThroughSelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.style.position = 'fixed';
  area.style.opacity = '0';
  document.body.append(area);
  const before = document.activeElement;
  area.select();
  try {
    return document.execCommand('copy');
  } finally {
    area.remove();
    if (before instanceof HTMLElement) before.focus();
  }
}
