import { useId } from 'react'

type ModelFieldProps = {
  readonly label: string
  readonly models: readonly string[]
  readonly model: string
  readonly setModel: (model: string) => void
}

/** A field for the name of a model, which finds those that the provider lists. Others can be written. */
export function ModelField({ label, models, model, setModel }: ModelFieldProps) {
  const listId = useId()
  return (
    <>
      <input
        className="field"
        aria-label={label}
        placeholder={label}
        list={listId}
        value={model}
        onChange={(event) => setModel(event.target.value)}
      />
      <datalist id={listId}>
        {models.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  )
}
