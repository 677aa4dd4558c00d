// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot3;

import io.outledger.spring.contract.InboxedProxiesContract;

/** The contract, on this line. */
class InboxedProxies35IT extends InboxedProxiesContract {}
