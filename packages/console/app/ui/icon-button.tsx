import type { ReactNode } from 'react'

type IconButtonProps = {
  /** What it does, for screen readers and as a tooltip. */
  readonly label: string
  readonly children: ReactNode
  readonly onClick?: () => void
  readonly isDisabled?: boolean
  readonly kind?: 'button' | 'submit'
  readonly className?: string
  readonly testId?: string
}

/** A button that shows an icon alone. */
export function IconButton({
  label,
  children,
  onClick,
  isDisabled = false,
  kind = 'button',
  className = '',
  testId,
}: IconButtonProps) {
  return (
    <button
      type={kind === 'submit' ? 'submit' : 'button'}
      className={`icon-button ${className}`}
      aria-label={label}
      title={label}
      disabled={isDisabled}
      onClick={onClick}
      data-testid={testId}
    >
      {children}
    </button>
  )
}
