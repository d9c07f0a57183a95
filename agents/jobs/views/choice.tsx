type ChoiceProps<T extends string> = {
  readonly label: string
  readonly value: T
  readonly options: readonly (readonly [value: T, name: string])[]
  readonly onChange: (value: T) => void
  /** Whether the label is for screen readers alone. */
  readonly isLabelHidden?: boolean
}

/** One of a few options. */
export function Choice<T extends string>(choice: ChoiceProps<T>) {
  const { label, value, options, onChange, isLabelHidden = false } = choice
  return (
    <label>
      <span className={isLabelHidden ? 'visually-hidden' : undefined}>{label}</span>
      <select className="field" value={value} onChange={({ target }) => onChange(target.value as T)}>
        {options.map(([option, name]) => (
          <option key={option} value={option}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
