export { visibleJson, visibleText } from 'dragoman/events'
