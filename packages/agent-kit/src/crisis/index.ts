export { crisisHelp } from './crisis-help.ts'
export { countries, internationalLine, helpLines, type HelpLine } from './help-lines.ts'
export { crisisResources, crisisText } from './crisis-resources.ts'
export { detectDanger, isCrisis } from './detect-danger.ts'
