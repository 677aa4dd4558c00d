// SPDX-License-Identifier: Apache-2.0
package io.outledger.modulith;

import io.outledger.spring.contract.ModulithConfiguredContract;

/** An application's own configuration, on Spring Modulith 2.0. */
class ModulithConfigured20IT extends ModulithConfiguredContract {}
