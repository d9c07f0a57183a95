import { ChevronLeft, ChevronRight } from 'lucide-react'

import { useTranslate } from '../i18n/translate.tsx'
import { IconButton } from '../ui/icon-button.tsx'

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
      <IconButton
        label={t('message.previousVersion')}
        isDisabled={place <= 1}
        onClick={() => onChoose(place - 1)}
      >
        <ChevronLeft size={15} aria-hidden />
      </IconButton>
      <span className="quiet">
        {place}/{count}
      </span>
      <IconButton
        label={t('message.nextVersion')}
        isDisabled={place >= count}
        onClick={() => onChoose(place + 1)}
      >
        <ChevronRight size={15} aria-hidden />
      </IconButton>
    </span>
  )
}
