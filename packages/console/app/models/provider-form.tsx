import type { Provider } from '@dragoman/client/v1'
import { Check } from 'lucide-react'
import { useState, type FormEvent } from 'react'

import { useTranslate } from '../i18n/translate.tsx'
import { KeyField, Problem } from './key-field.tsx'
import { ModelField } from './model-field.tsx'
import { titleOf, useProviderChange, type ProviderChanges } from './provider.ts'

/** What is saved for one provider: a key, another address, the usual model. */
export function ProviderForm({ provider }: { readonly provider: Provider }) {
  const { t } = useTranslate()
  const { name, saved, fromEnvironment, needsKey, problem, models = [] } = provider
  const { mutate, error, isPending } = useProviderChange()
  const [apiKey, setApiKey] = useState('')
  const [baseUrl, setBaseUrl] = useState(provider.baseUrl ?? '')
  const [model, setModel] = useState(provider.model ?? (needsKey ? '' : (models[0] ?? '')))
  const changes = changesOf(provider, { apiKey: apiKey.trim(), baseUrl: baseUrl.trim(), model: model.trim() })
  const isUnchanged = Object.keys(changes).length === 0
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    mutate({ name, changes }, { onSuccess: () => setApiKey('') })
  }
  return (
    <form className="provider" onSubmit={submit} aria-label={titleOf(name)}>
      <ProviderTitle provider={provider} />
      {fromEnvironment ? (
        <p className="quiet">{t('models.fromEnvironment')}</p>
      ) : (
        <>
          <div className="provider-fields">
            {(needsKey || baseUrl !== '') && (
              <KeyField
                label={t('models.key', { name: titleOf(name) })}
                placeholder={t(saved && needsKey ? 'models.keySaved' : 'models.keyPlaceholder')}
                value={apiKey}
                onChange={setApiKey}
              />
            )}
            {(saved || !needsKey) && (
              <ModelField
                label={t('models.modelOf', { name: titleOf(name) })}
                {...{ models, model, setModel }}
              />
            )}
            <button type="submit" className="button primary" disabled={isUnchanged || isPending}>
              {t(isPending ? 'models.trying' : needsKey ? 'save' : 'models.use')}
            </button>
            {saved && <RemoveButton isDisabled={isPending} onClick={() => mutate({ name, changes: null })} />}
          </div>
          <details open={provider.custom}>
            <summary className="quiet">{t('models.address')}</summary>
            <AddressField name={name} value={baseUrl} onChange={setBaseUrl} />
          </details>
        </>
      )}
      {models.length > 0 && <p className="quiet">{t('models.count', { count: models.length })}</p>}
      {problem !== undefined && !error && <p className="notice">{problem}</p>}
      <Problem error={error} />
    </form>
  )
}

/** What differs from what is saved. */
function changesOf(
  provider: Provider,
  { apiKey, baseUrl, model }: Required<ProviderChanges>,
): ProviderChanges {
  return {
    ...(apiKey !== '' && { apiKey }),
    ...(baseUrl !== (provider.baseUrl ?? '') && { baseUrl }),
    ...(model !== '' && model !== provider.model && { model }),
  }
}

type RemoveButtonProps = { readonly isDisabled: boolean; readonly onClick: () => void }

function RemoveButton({ isDisabled, onClick }: RemoveButtonProps) {
  const { t } = useTranslate()
  return (
    <button type="button" className="button danger" disabled={isDisabled} onClick={onClick}>
      {t('models.remove')}
    </button>
  )
}

type AddressFieldProps = {
  readonly name: string
  readonly value: string
  readonly onChange: (value: string) => void
}

function AddressField({ name, value, onChange }: AddressFieldProps) {
  const { t } = useTranslate()
  return (
    <>
      <input
        className="field"
        type="url"
        aria-label={t('models.addressOf', { name: titleOf(name) })}
        placeholder="https://gateway.example/v1"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <p className="quiet">{t('models.addressNote')}</p>
    </>
  )
}

function ProviderTitle({ provider }: { readonly provider: Provider }) {
  const { t } = useTranslate()
  const { name, ready, needsKey, models } = provider
  return (
    <h2>
      {titleOf(name)}
      {ready && (
        <span className="provider-state">
          <Check size={15} aria-hidden /> {t('models.ready')}
        </span>
      )}
      {!ready && !needsKey && models && <span className="provider-state">{t('models.running')}</span>}
    </h2>
  )
}
