// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.modulith21;

import io.outledger.spring.contract.ModulithContract;

/** The contract on Spring Modulith 2.1 and Boot 4.1. */
class Modulith21IT extends ModulithContract {}
