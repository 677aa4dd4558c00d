// SPDX-License-Identifier: Apache-2.0
package io.outledger.modulith;

import io.outledger.spring.contract.ModulithMistakesContract;

/** What stops the start, on Spring Modulith 2.0. */
class ModulithMistakes20IT extends ModulithMistakesContract {}
