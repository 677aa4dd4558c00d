// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract.parcels;

import org.springframework.data.repository.ListCrudRepository;

/** The letters. */
public interface Letters extends ListCrudRepository<Letter, String> {}
