import { useState, type FormEvent } from 'react'

import { useTranslate } from '../i18n/translate.tsx'
import { KeyField, Problem } from './key-field.tsx'
import { useProviderChange } from './provider.ts'

/** Adds a provider that speaks OpenAI's chat completions at any address. */
export function CustomForm() {
  const { t } = useTranslate()
  const { mutate, error, isPending } = useProviderChange()
  const [name, setName] = useState('')
  const [baseUrl, setBaseUrl] = useState('')
  const [apiKey, setApiKey] = useState('')
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const changes = { baseUrl: baseUrl.trim(), ...(apiKey.trim() !== '' && { apiKey: apiKey.trim() }) }
    const clear = (): void => {
      setName('')
      setBaseUrl('')
      setApiKey('')
    }
    mutate({ name: name.trim().toLowerCase(), changes }, { onSuccess: clear })
  }
  return (
    <form className="provider" onSubmit={submit} aria-label={t('models.custom')}>
      <h2>{t('models.custom')}</h2>
      <p className="quiet">{t('models.customNote')}</p>
      <div className="provider-fields">
        <input
          className="field"
          aria-label={t('models.customName')}
          placeholder={t('models.customName')}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <input
          className="field"
          type="url"
          aria-label={t('models.customAddress')}
          placeholder="https://api.deepseek.com/v1"
          value={baseUrl}
          onChange={(event) => setBaseUrl(event.target.value)}
        />
        <KeyField
          label={t('models.customKey')}
          placeholder={t('models.customKey')}
          value={apiKey}
          onChange={setApiKey}
        />
        <button
          type="submit"
          className="button primary"
          disabled={name.trim() === '' || baseUrl.trim() === '' || isPending}
        >
          {t(isPending ? 'models.trying' : 'models.add')}
        </button>
      </div>
      <Problem error={error} />
    </form>
  )
}
