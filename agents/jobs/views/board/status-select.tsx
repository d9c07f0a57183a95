import { usePage } from '../page-context.ts'
import { statuses, type Status } from '../statuses.ts'

type StatusSelectProps = {
  readonly status: Status
  readonly label: string
  readonly onChange: (status: Status) => void
}

export function StatusSelect({ status, label, onChange }: StatusSelectProps) {
  const { t } = usePage()
  return (
    <select
      className="jobs-status"
      aria-label={label}
      value={status}
      onChange={(event) => onChange(event.target.value as Status)}
    >
      {statuses.map((each) => (
        <option key={each} value={each}>
          {t(`status.${each}`)}
        </option>
      ))}
    </select>
  )
}
