import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button, IconButton } from './inputs/button.js';
import { copyText } from './copy-text.js';

/** Copies a text and confirms it. */
export function CopyButton({
  text,
  label = 'Copy',
  words = false,
}: {
  /** Or a function, if it takes work. */
  readonly text: string | (() => string);
  readonly label?: string;
  /** With a visible label. */
  readonly words?: boolean;
}) {
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (!done) return undefined;
    const timer = setTimeout(() => setDone(false), 1500);
    return () => clearTimeout(timer);
  }, [done]);
  const copy = (): void => void copyText(typeof text === 'string' ? text : text()).then(setDone);
  const icon = done ? <Check aria-hidden /> : <Copy aria-hidden />;
  return words ? (
    <Button small onPress={copy}>
      {icon} {done ? 'Copied' : label}
    </Button>
  ) : (
    <IconButton small label={done ? 'Copied' : label} onPress={copy}>
      {icon}
    </IconButton>
  );
}
