import { type ReactNode, useId } from 'react';
import styles from './section.module.css';

/** A part of a page, under its own heading. */
export function Section({
  title,
  about,
  end,
  children,
}: {
  readonly title: string;
  /** What it is for, in a sentence. */
  readonly about?: ReactNode;
  /** Stands beside the heading, at the end. */
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

/** Sections below one another, not wider than is read with ease. */
export const Sections = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles.sections}>{children}</div>
);
