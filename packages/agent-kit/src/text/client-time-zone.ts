import { isJsonObject, type Json } from 'dragoman/events'

/** The time zone that a client reports. AG-UI clients send it in `forwardedProps`. */
export function clientTimeZone(context: Json): string | undefined {
  if (!isJsonObject(context)) return undefined
  const { forwardedProps: props = null } = context
  const all = { ...(isJsonObject(props) ? props : {}), ...context }
  const zones = [all['timeZone'], all['timezone'], all['time_zone']]
  return zones.find((zone): zone is string => typeof zone === 'string')
}
