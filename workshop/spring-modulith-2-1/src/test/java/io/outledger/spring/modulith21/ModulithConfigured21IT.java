// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.modulith21;

import io.outledger.spring.contract.ModulithConfiguredContract;

/** An application's own configuration, on Spring Modulith 2.1. */
class ModulithConfigured21IT extends ModulithConfiguredContract {}
