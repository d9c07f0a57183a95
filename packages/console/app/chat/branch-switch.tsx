import { ChevronLeft, ChevronRight } from 'lucide-react'

import { useTranslate } from '../i18n/translate.tsx'

type BranchSwitchProps = {
  /** Counts from 1. */
  readonly place: number
  readonly count: number
  readonly onChoose: (place: number) => void
}

/** Arrows between versions of a message. */
export function BranchSwitch({ place, count, onChoose }: BranchSwitchProps) {
  const { t } = useTranslate()
  return (
    <span className="branches">
      <button
        type="button"
        className="icon-button"
        aria-label={t('message.previousVersion')}
        disabled={place <= 1}
        onClick={() => onChoose(place - 1)}
      >
        <ChevronLeft size={15} aria-hidden />
      </button>
      <span className="quiet">
        {place}/{count}
      </span>
      <button
        type="button"
        className="icon-button"
        aria-label={t('message.nextVersion')}
        disabled={place >= count}
        onClick={() => onChoose(place + 1)}
      >
        <ChevronRight size={15} aria-hidden />
      </button>
    </span>
  )
}
