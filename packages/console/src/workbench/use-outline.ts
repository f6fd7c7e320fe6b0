import { useEffect, useState } from 'react';
import { askLanguage } from '../editor/language.js';
import type { Outline } from '../editor/outline.js';

/** Outline of a text; the previous one until the worker has parsed the new text. */
export function useOutline(text: string): Outline | undefined {
  const [outline, setOutline] = useState<{ readonly text: string; readonly outline: Outline }>();
  useEffect(() => {
    let wanted = true;
    const look = async (): Promise<void> => {
      const found = await askLanguage('outline', text);
      if (wanted && found !== undefined) setOutline({ text, outline: found });
    };
    void look();
    return () => {
      wanted = false;
    };
  }, [text]);
  return outline?.text === text ? outline.outline : undefined;
}
