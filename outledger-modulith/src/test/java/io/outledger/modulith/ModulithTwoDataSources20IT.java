// SPDX-License-Identifier: Apache-2.0
package io.outledger.modulith;

import io.outledger.spring.contract.ModulithTwoDataSourcesContract;

/** The contract on Spring Modulith 2.0 and Boot 4.0. */
class ModulithTwoDataSources20IT extends ModulithTwoDataSourcesContract {}
