import { isJsonObject, type Json } from 'dragoman/events'

type JsonObject = { readonly [field: string]: Json }

/** The form of a card that collects something, as `request_info` gives one: `card_props.form_fields` of its tool. */
export function formFieldsIn(cardProps: Json | undefined): readonly JsonObject[] {
  const fields = isJsonObject(cardProps) ? cardProps['form_fields'] : undefined
  if (!Array.isArray(fields)) return []
  return (fields as readonly Json[]).filter(isJsonObject).flatMap((field) => {
    const { name, label = name, type = 'text', required = false, placeholder = '', ...more } = field
    if (typeof name !== 'string') return []
    return [{ ...more, id: name, label: label ?? name, type, required, placeholder }]
  })
}
