import { useTranslate } from '../i18n/translate.tsx'

type AnswerButtonsProps = {
  readonly isDisabled: boolean
  readonly refusal: string
  readonly onRefuse: () => void
}

/** Sends the form that they are in, or refuses to answer. */
export function AnswerButtons({ isDisabled, refusal, onRefuse }: AnswerButtonsProps) {
  const { t } = useTranslate()
  return (
    <div className="question-actions">
      <button type="submit" className="button primary" disabled={isDisabled}>
        {t('question.answer')}
      </button>
      <button type="button" className="button danger" disabled={isDisabled} onClick={onRefuse}>
        {refusal}
      </button>
    </div>
  )
}
