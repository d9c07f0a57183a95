import { usePage } from '../page-context.ts'

type SearchFieldProps = { readonly words: string; readonly onChange: (words: string) => void }

export function SearchField({ words, onChange }: SearchFieldProps) {
  const { t } = usePage()
  return (
    <input
      className="field"
      type="search"
      aria-label={t('board.search')}
      placeholder={t('board.search')}
      value={words}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
