import type { MouseEvent, ReactNode } from 'react'

import { usePage } from './page-context.ts'

type PageLinkProps = { readonly to: string; readonly children: ReactNode; readonly className?: string }

/** A link to a path of the page, which the console opens without a reload. */
export function PageLink({ to, children, className }: PageLinkProps) {
  const { hrefOf, open } = usePage()
  const onClick = (event: MouseEvent): void => {
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    open(to)
  }
  return (
    <a href={hrefOf(to)} className={className} onClick={onClick}>
      {children}
    </a>
  )
}

/** A sentence about what went wrong. */
export function Problem({ message }: { readonly message: string | undefined }) {
  return message === undefined ? null : (
    <p className="notice error" role="alert">
      {message}
    </p>
  )
}

type SectionProps = { readonly title: string; readonly actions?: ReactNode; readonly children: ReactNode }

export function Section({ title, actions, children }: SectionProps) {
  return (
    <section className="jobs-section" aria-label={title}>
      <header>
        <h2>{title}</h2>
        {actions}
      </header>
      {children}
    </section>
  )
}
