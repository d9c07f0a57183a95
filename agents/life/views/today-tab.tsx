import type { PageProps } from '@dragoman/console/view'

import { activityInEnglish } from '../src/almanac/activities.ts'
import type { Greeting } from '../src/greeting/greeting.ts'
import { DayPillar } from './day-pillar.tsx'
import { SmallStep } from './small-step.tsx'
import { translatorOf } from './translator.ts'
import { useGreeting } from './use-greeting.ts'
import { VoiceSwitch } from './voice-switch.tsx'

/** What the calendar says of today, and of today for the user. */
export function TodayTab({ kit, language, ask, open }: PageProps) {
  const t = translatorOf(language)
  const greeting = useGreeting(kit, language)
  if (!greeting) return <p className="quiet">{t('loading')}</p>
  const { title, greeting: text, date, action_tip: tip, disclaimer, support } = greeting
  return (
    <>
      <header className="life-hero">
        <p className="quiet">{title}</p>
        <h2>{text}</h2>
        <div className="life-actions">
          <VoiceSwitch kit={kit} language={language} voice={greeting.voice} />
          <button type="button" className="button" onClick={() => void ask(t('today.askText'))}>
            {t('today.ask')}
          </button>
        </div>
      </header>
      {support ? (
        <Support language={language} support={support} />
      ) : (
        <>
          <div className="life-grid">
            <DayPillar language={language} basis={greeting.basis} onAddBirth={() => open('profile')} />
            <TermCard language={language} greeting={greeting} />
          </div>
          <AlmanacCard language={language} basis={greeting.basis} />
        </>
      )}
      <SmallStep key={`${date} ${tip}`} title={t('today.step')} date={date} tip={tip} />
      <p className="quiet life-note">{disclaimer}</p>
    </>
  )
}

function TermCard({ language, greeting }: { readonly language: string; readonly greeting: Greeting }) {
  const t = translatorOf(language)
  const { solarTerm, termDescription, date, basis } = greeting
  return (
    <section className="life-card">
      <h3>{t('today.term')}</h3>
      <p className="life-big">
        {solarTerm}
        {language !== 'zh' && <span lang="zh">{basis.term}</span>}
      </p>
      <p>{termDescription}</p>
      <p className="quiet">{t('today.lunar', { date: lunarDate(date, basis.lunar, language) })}</p>
    </section>
  )
}

/** 十月十九, or "Tenth Month 19". */
function lunarDate(date: string, lunar: string, language: string): string {
  if (language === 'zh') return lunar.replace(/^.*年/, '')
  const format = new Intl.DateTimeFormat('en-u-ca-chinese', {
    month: 'long',
    day: 'numeric',
    timeZone: 'UTC',
  })
  return format.format(new Date(`${date}T12:00:00Z`))
}

function AlmanacCard({ language, basis }: { readonly language: string; readonly basis: Greeting['basis'] }) {
  const t = translatorOf(language)
  const lists = [
    { sign: '宜', label: t('today.good'), names: basis.good, className: 'life-good' },
    { sign: '忌', label: t('today.avoid'), names: basis.avoid, className: 'life-avoid' },
  ]
  return (
    <section className="life-card">
      <h3>{t('today.almanac')}</h3>
      <div className="life-lists">
        {lists.map(({ sign, label, names, className }) => (
          <div key={sign} className={className}>
            <h4>
              <span lang="zh">{sign}</span>
              {language !== 'zh' && label}
            </h4>
            {names.length === 0 ? (
              <p className="quiet">{t('today.nothing')}</p>
            ) : (
              <ul aria-label={label}>
                {names.map((name) => (
                  <li key={name}>{language === 'zh' ? name : activityInEnglish(name)}</li>
                ))}
              </ul>
            )}
          </div>
        ))}
      </div>
    </section>
  )
}

/** Where the profile shows signs of self-harm, help comes in place of the almanac. */
function Support({
  language,
  support,
}: {
  readonly language: string
  readonly support: NonNullable<Greeting['support']>
}) {
  const t = translatorOf(language)
  return (
    <section className="life-card">
      <h3>{t('today.support')}</h3>
      <ul className="life-lines">
        {support.resources.map(({ name, contact, note }) => (
          <li key={`${name} ${contact}`}>
            <strong>{contact}</strong> {name}
            <small className="quiet">{note}</small>
          </li>
        ))}
      </ul>
    </section>
  )
}
