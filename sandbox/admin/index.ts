export { approvalPage, noticePage } from './approval';
export { adminPage } from './overview';
