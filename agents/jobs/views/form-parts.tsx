type TextAreaProps = {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly rows: number
  /** Whether it holds Markdown, in the font of code. */
  readonly isEditor?: boolean
  readonly isRequired?: boolean
  readonly placeholder?: string
}

/** A text of several lines, with its label. */
export function TextArea(area: TextAreaProps) {
  const { label, value, onChange, rows, isEditor = false, isRequired = false, placeholder } = area
  return (
    <label>
      {label}
      <textarea
        className={isEditor ? 'field jobs-editor' : 'field'}
        rows={rows}
        required={isRequired}
        placeholder={placeholder}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  )
}

type SubmitButtonProps = { readonly label: string; readonly isDisabled: boolean }

export function SubmitButton({ label, isDisabled }: SubmitButtonProps) {
  return (
    <div className="jobs-actions">
      <button type="submit" className="button primary" disabled={isDisabled}>
        {label}
      </button>
    </div>
  )
}

type AddressFieldProps = {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}

/** The address of a page. */
export function AddressField({ label, value, onChange }: AddressFieldProps) {
  return (
    <label>
      {label}
      <input
        className="field"
        type="url"
        required
        placeholder="https://"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  )
}
