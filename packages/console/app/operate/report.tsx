import type { ReactNode } from 'react'

type ReportProps = { readonly title: string; readonly actions?: ReactNode; readonly children: ReactNode }

/** One part of the page. */
export function Report({ title, actions, children }: ReportProps) {
  return (
    <section className="report" aria-label={title}>
      <header>
        <h2>{title}</h2>
        {actions}
      </header>
      {children}
    </section>
  )
}
