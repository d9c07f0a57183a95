import { isJsonObject, type Json } from 'dragoman/events'

type JsonObject = { readonly [field: string]: Json }

/** Keywords that mean the same in a list of parameters as in JSON Schema. */
const KEYWORDS = [
  'title',
  'description',
  'enum',
  'default',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
]
const TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object']

/**
 * The JSON Schema of a card's parameters: as it stands there, or from a list in which each parameter has its `name`,
 * `type`, `required` and what else a schema may say.
 */
export function parametersSchema(parameters: Json | undefined): JsonObject {
  if (Array.isArray(parameters)) return objectSchema(parameters as readonly Json[])
  return isJsonObject(parameters) ? parameters : { type: 'object' }
}

function objectSchema(list: readonly Json[]): JsonObject {
  const named = list
    .filter(isJsonObject)
    .flatMap((each) => (typeof each['name'] === 'string' ? [{ each, name: each['name'] }] : []))
  const required = named.filter(({ each }) => each['required'] === true).map(({ name }) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(named.map(({ each, name }) => [name, parameterSchema(each)])),
    ...(required.length > 0 && { required }),
  }
}

/** A type that JSON Schema does not have, such as a date or a place, is a text. */
function parameterSchema(parameter: JsonObject): JsonObject {
  const { type, items, properties, label } = parameter
  const schemaType = TYPES.find((each) => each === type) ?? 'string'
  const keywords = KEYWORDS.flatMap((keyword) => {
    const value = parameter[keyword]
    return value === undefined || value === null ? [] : [[keyword, value] as const]
  })
  return {
    type: schemaType,
    ...(typeof label === 'string' && { title: label }),
    ...Object.fromEntries(keywords),
    ...(schemaType === 'array' && isJsonObject(items) && { items: parameterSchema(items) }),
    ...(schemaType === 'object' && propertiesOf(properties)),
  }
}

function propertiesOf(properties: Json | undefined): JsonObject {
  if (Array.isArray(properties)) return objectSchema(properties as readonly Json[])
  if (!isJsonObject(properties)) return {}
  const inner = Object.entries(properties).flatMap(([name, each]) =>
    isJsonObject(each) ? [[name, parameterSchema(each)] as const] : [],
  )
  return { properties: Object.fromEntries(inner) }
}
