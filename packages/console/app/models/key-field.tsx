type KeyFieldProps = {
  readonly label: string
  readonly placeholder: string
  readonly value: string
  readonly onChange: (value: string) => void
}

/** A field for a key, which browsers do not keep. */
export function KeyField({ label, placeholder, value, onChange }: KeyFieldProps) {
  return (
    <input
      className="field"
      type="password"
      autoComplete="off"
      aria-label={label}
      placeholder={placeholder}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

/** Why nothing was saved. */
export function Problem({ error }: { readonly error: Error | null }) {
  return error ? (
    <p className="notice error" role="alert">
      {error.message}
    </p>
  ) : null
}
