import { useMutation, useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { Link } from 'wouter'

import { queryClient } from '../api/queries.ts'
import { request } from '../api/request.ts'
import { useTranslate } from '../i18n/translate.tsx'
import { PageHeader } from '../layout/page-header.tsx'
import { LoadError } from '../ui/notices.tsx'
import './models.css'

type Provider = {
  readonly name: string
  readonly ready: boolean
  readonly reason: string
  readonly saved: boolean
  readonly model: string | null
  readonly needsKey: boolean
  readonly fromEnvironment: boolean
  /** What a program on the server's machine offers, if it runs. */
  readonly models?: readonly string[]
}

/** The names under which providers are known. */
const NAMES: Readonly<Record<string, string>> = {
  anthropic: 'Anthropic',
  openai: 'OpenAI',
  google: 'Google',
  openrouter: 'OpenRouter',
  ollama: 'Ollama',
  lmstudio: 'LM Studio',
}

/** Connects the server with models: by a key, or by a program on its machine. */
export function ModelsPage() {
  const { t } = useTranslate()
  const { data, error, refetch } = useQuery({
    queryKey: ['providers'],
    queryFn: () => request<{ mayChange: boolean; providers: readonly Provider[] }>('/v1/providers'),
  })
  const { mayChange = true, providers = [] } = data ?? {}
  const programs = providers.filter(({ needsKey, models }) => !needsKey && models !== undefined)
  const missing = providers.filter(({ needsKey, models }) => !needsKey && models === undefined)
  return (
    <main className="page">
      <PageHeader title={t('models.title')} />
      <div className="page-body">
        <p>{t('models.note')}</p>
        {error && <LoadError error={error} onRetry={() => void refetch()} />}
        {!mayChange && <p className="notice">{t('models.notOwner')}</p>}
        {programs.map((provider) => (
          <ProgramForm key={provider.name} provider={provider} />
        ))}
        {providers
          .filter(({ needsKey }) => needsKey)
          .map((provider) => (
            <KeyForm key={provider.name} provider={provider} />
          ))}
        {missing.length > 0 && (
          <p className="quiet">
            {t('models.noProgram', { names: missing.map(({ name }) => NAMES[name] ?? name).join(', ') })}
          </p>
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

function useProviderChange(name: string) {
  return useMutation({
    mutationFn: (body: { readonly apiKey?: string; readonly model?: string } | undefined) =>
      request<undefined>(`/v1/providers/${name}`, body ? { method: 'PUT', body } : { method: 'DELETE' }),
    // Not waited for: the form shows at once that the server has it.
    onSuccess: () => void queryClient.invalidateQueries(),
  })
}

function KeyForm({ provider }: { readonly provider: Provider }) {
  const { t } = useTranslate()
  const { name, saved, fromEnvironment } = provider
  const { mutate, error, isPending } = useProviderChange(name)
  const [apiKey, setApiKey] = useState('')
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    mutate({ apiKey: apiKey.trim() }, { onSuccess: () => setApiKey('') })
  }
  return (
    <form className="provider" onSubmit={submit} aria-label={NAMES[name] ?? name}>
      <ProviderTitle provider={provider} />
      {fromEnvironment ? (
        <p className="quiet">{t('models.fromEnvironment')}</p>
      ) : (
        <div className="provider-fields">
          <input
            className="field"
            type="password"
            autoComplete="off"
            aria-label={t('models.key', { name: NAMES[name] ?? name })}
            placeholder={saved ? t('models.keySaved') : t('models.keyPlaceholder')}
            value={apiKey}
            onChange={(event) => setApiKey(event.target.value)}
          />
          <button type="submit" className="button primary" disabled={apiKey.trim() === '' || isPending}>
            {t('save')}
          </button>
          {saved && <RemoveButton isDisabled={isPending} onClick={() => mutate(undefined)} />}
        </div>
      )}
      <Problem error={error} />
    </form>
  )
}

function ProgramForm({ provider }: { readonly provider: Provider }) {
  const { t } = useTranslate()
  const { name, saved, model, models = [] } = provider
  const { mutate, error, isPending } = useProviderChange(name)
  const [chosen, setChosen] = useState(model ?? models[0] ?? '')
  return (
    <form
      className="provider"
      aria-label={NAMES[name] ?? name}
      onSubmit={(event) => {
        event.preventDefault()
        mutate({ model: chosen })
      }}
    >
      <ProviderTitle provider={provider} />
      {models.length === 0 ? (
        <p className="quiet">{t('models.noneInProgram')}</p>
      ) : (
        <div className="provider-fields">
          <select
            className="field"
            aria-label={t('models.modelOf', { name: NAMES[name] ?? name })}
            value={chosen}
            onChange={(event) => setChosen(event.target.value)}
          >
            {models.map((id) => (
              <option key={id}>{id}</option>
            ))}
          </select>
          <button
            type="submit"
            className="button primary"
            disabled={isPending || (saved && chosen === model)}
          >
            {t('models.use')}
          </button>
          {saved && <RemoveButton isDisabled={isPending} onClick={() => mutate(undefined)} />}
        </div>
      )}
      <Problem error={error} />
    </form>
  )
}

function ProviderTitle({ provider }: { readonly provider: Provider }) {
  const { t } = useTranslate()
  const { name, ready, needsKey } = provider
  return (
    <h2>
      {NAMES[name] ?? name}
      {ready && (
        <span className="provider-state">
          <Check size={15} aria-hidden /> {t('models.ready')}
        </span>
      )}
      {!ready && !needsKey && <span className="provider-state">{t('models.running')}</span>}
    </h2>
  )
}

function RemoveButton({
  isDisabled,
  onClick,
}: {
  readonly isDisabled: boolean
  readonly onClick: () => void
}) {
  const { t } = useTranslate()
  return (
    <button type="button" className="button danger" disabled={isDisabled} onClick={onClick}>
      {t('models.remove')}
    </button>
  )
}

function Problem({ error }: { readonly error: Error | null }) {
  return error ? (
    <p className="notice error" role="alert">
      {error.message}
    </p>
  ) : null
}
