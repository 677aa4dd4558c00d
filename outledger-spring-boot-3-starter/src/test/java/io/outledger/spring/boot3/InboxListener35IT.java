// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot3;

import io.outledger.spring.contract.InboxListenerContract;

/** The contract, on this line. */
class InboxListener35IT extends InboxListenerContract {}
