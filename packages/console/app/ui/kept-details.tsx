import type { ReactNode } from 'react'

/** The details that the user has opened. Their row may leave the document and come back. */
const openIds = new Set<string>()

type KeptDetailsProps = { readonly id: string; readonly className?: string; readonly children: ReactNode }

/** Details that stay open or closed, as the user left them, until the page is left. */
export function KeptDetails({ id, className, children }: KeptDetailsProps) {
  return (
    <details
      className={className}
      open={openIds.has(id)}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open) openIds.add(id)
        else openIds.delete(id)
      }}
    >
      {children}
    </details>
  )
}
