import type { PageProps } from '@dragoman/console/view'

import { AboutForm } from './about-form.tsx'
import { BirthForm } from './birth-form.tsx'
import { StyleForm } from './style-form.tsx'
import { translatorOf } from './translator.ts'
import { useProfile } from './use-profile.ts'

/** What the agent uses in addition to the memories. */
export function ProfileTab({ kit, language }: PageProps) {
  const t = translatorOf(language)
  const { data: profile, error } = useProfile(kit)
  if (!profile) return <p className="quiet">{error?.message ?? t('loading')}</p>
  const { birthWords } = profile
  const words = birthWords && (language === 'zh' ? birthWords.zh : birthWords.en)
  return (
    <>
      <section className="life-card" aria-labelledby="life-birth">
        <h3 id="life-birth">{t('birth.title')}</h3>
        <p>{words ?? t('birth.none')}</p>
        <BirthForm kit={kit} language={language} profile={profile} />
      </section>
      <section className="life-card" aria-labelledby="life-about">
        <h3 id="life-about">{t('profile.about')}</h3>
        <AboutForm kit={kit} language={language} profile={profile} />
      </section>
      <section className="life-card" aria-labelledby="life-style">
        <h3 id="life-style">{t('profile.style')}</h3>
        <StyleForm kit={kit} language={language} profile={profile} />
      </section>
    </>
  )
}
