import type { Provider } from '@dragoman/client/v1'
import { Link } from 'wouter'

import { useTranslate } from '../i18n/translate.tsx'
import { PageHeader } from '../layout/page-header.tsx'
import { LoadError } from '../ui/notices.tsx'
import { CustomForm } from './custom-form.tsx'
import { ProviderForm } from './provider-form.tsx'
import { titleOf, useProviders } from './provider.ts'
import './models.css'

/** Connects the server with models: by a key, by an address, or by a program on its machine. */
export function ModelsPage() {
  const { t } = useTranslate()
  const { data, error, refetch } = useProviders()
  const { mayChange = true, providers = [] } = data ?? {}
  const isMissing = ({ needsKey, models, saved }: Provider): boolean =>
    !needsKey && models === undefined && !saved
  const missing = providers.filter(isMissing)
  return (
    <main className="page">
      <PageHeader title={t('models.title')} />
      <div className="page-body">
        <p>{t('models.note')}</p>
        {error && <LoadError error={error} onRetry={() => void refetch()} />}
        {!mayChange && <p className="notice">{t('models.notOwner')}</p>}
        {providers
          .filter((provider) => !isMissing(provider))
          .toSorted((a, b) => Number(a.needsKey) - Number(b.needsKey))
          .map((provider) => (
            <ProviderForm key={provider.name} provider={provider} />
          ))}
        {mayChange && data && <CustomForm />}
        {missing.length > 0 && (
          <details>
            <summary className="quiet">
              {t('models.noProgram', { names: missing.map(({ name }) => titleOf(name)).join(', ') })}
            </summary>
            {missing.map((provider) => (
              <ProviderForm key={provider.name} provider={provider} />
            ))}
          </details>
        )}
        <p>
          <Link href="/" className="button">
            {providers.some(({ ready }) => ready) ? t('nav.newChat') : t('models.demo')}
          </Link>
        </p>
      </div>
    </main>
  )
}
