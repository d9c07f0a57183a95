import { useId, type ReactNode } from 'react'

/** What an input needs to be described by its hint and its error. */
export type InputProps = {
  readonly id: string
  readonly 'aria-describedby'?: string
  readonly 'aria-invalid'?: true
}

type FieldProps = {
  readonly label: string
  readonly hint?: string
  readonly error?: string | undefined
  readonly children: (props: InputProps) => ReactNode
}

/** A labeled input with a hint, and with the server's refusal next to it. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId()
  const descriptions = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(
    (each) => each !== false,
  )
  return (
    <div className="life-field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        ...(descriptions.length > 0 && { 'aria-describedby': descriptions.join(' ') }),
        ...(error !== undefined && { 'aria-invalid': true as const }),
      })}
      {hint !== undefined && (
        <small id={`${id}-hint`} className="quiet">
          {hint}
        </small>
      )}
      {error !== undefined && (
        <small id={`${id}-error`} className="life-error" role="alert">
          {error}
        </small>
      )}
    </div>
  )
}

type SaveBarProps = {
  readonly label: string
  readonly isPending: boolean
  /** What is said once all is saved. */
  readonly status: string | undefined
  /** A refusal that belongs to no field. */
  readonly problem: string | undefined
  readonly children?: ReactNode
}

/** The end of a form: its button, and what became of it. */
export function SaveBar({ label, isPending, status, problem, children }: SaveBarProps) {
  return (
    <>
      {problem !== undefined && (
        <p className="notice error" role="alert">
          {problem}
        </p>
      )}
      <div className="life-actions">
        <button type="submit" className="button primary" aria-disabled={isPending}>
          {label}
        </button>
        {children}
        <span className="quiet" role="status">
          {status}
        </span>
      </div>
    </>
  )
}
