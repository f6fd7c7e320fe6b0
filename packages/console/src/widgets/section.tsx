import { type ReactNode, useId } from 'react';
import styles from './section.module.css';

/** A section of a page with a heading. */
export function Section({
  title,
  about,
  end,
  children,
}: {
  readonly title: string;
  /** Its purpose, in a sentence. */
  readonly about?: ReactNode;
  /** Content next to the heading, at the end. */
  readonly end?: ReactNode;
  readonly children: ReactNode;
}) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <header className={styles.head}>
        <div>
          <h2 id={id}>{title}</h2>
          {about !== undefined && <p className={styles.about}>{about}</p>}
        </div>
        {end}
      </header>
      {children}
    </section>
  );
}

/** Stacked sections of readable width. */
export const Sections = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles.sections}>{children}</div>
);
