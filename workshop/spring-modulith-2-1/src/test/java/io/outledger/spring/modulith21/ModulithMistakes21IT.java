// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.modulith21;

import io.outledger.spring.contract.ModulithMistakesContract;

/** What stops the start, on Spring Modulith 2.1. */
class ModulithMistakes21IT extends ModulithMistakesContract {}
