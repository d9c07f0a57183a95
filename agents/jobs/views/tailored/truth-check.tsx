import type { Version } from '../../src/tailoring/version.ts'
import { usePage } from '../page-context.ts'
import { Section } from '../page-parts.tsx'

/** What in a tailored resume does not trace to the base resume, and which words of the posting may be added. */
export function TruthCheck({ truth }: { readonly truth: Version['truth'] }) {
  const { t } = usePage()
  const { marks, warnings, keywords, omitted = { marks: 0, warnings: 0 } } = truth
  return (
    <Section title={t('truth.title')}>
      {marks.length === 0 ? (
        <p className="notice calm">{t('truth.clean')}</p>
      ) : (
        <>
          <p className="notice error">{t('truth.marks', { count: marks.length + omitted.marks })}</p>
          <ul className="jobs-marks">
            {marks.map(({ kind, said, sentence, line }) => (
              <li key={`${line} ${kind} ${said}`}>
                <strong>{said}</strong> <span className="quiet">{t(`truth.${kind}`)}</span>
                <blockquote>{sentence}</blockquote>
              </li>
            ))}
            {omitted.marks > 0 && <li>{t('truth.more', { count: omitted.marks })}</li>}
          </ul>
        </>
      )}
      {warnings.length > 0 && (
        <ul className="jobs-marks">
          {warnings.map(({ kind, said }) => (
            <li key={`${kind} ${said}`}>
              {t(`truth.${kind}`)} <span className="quiet">{said}</span>
            </li>
          ))}
          {omitted.warnings > 0 && <li>{t('truth.more', { count: omitted.warnings })}</li>}
        </ul>
      )}
      <Keywords label={t('truth.used')} words={keywords.used} />
      <Keywords label={t('truth.safe')} words={keywords.safe} />
      <Keywords label={t('truth.notTrue')} words={keywords.notTrueForYou} />
    </Section>
  )
}

function Keywords({ label, words }: { readonly label: string; readonly words: readonly string[] }) {
  if (words.length === 0) return null
  return (
    <p>
      <span className="quiet">{label}</span> {words.join(', ')}
    </p>
  )
}
