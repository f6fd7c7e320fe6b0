import type { AddressRules } from '@millrace/http/outgoing/addresses';

/** Rules for the addresses of notifiers. */
export const notifierAddresses = (allowsPrivate: boolean): AddressRules => ({
  allowsPrivate,
  setting: 'MILLRACE_NOTIFY_PRIVATE_ADDRESSES',
});
